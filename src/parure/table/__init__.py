"""What any table needs beside the rules: turn boundaries, events, previews of decisions."""
