"""Connect to a Ray cluster."""

from __future__ import annotations

import logging
import socket
from typing import Any

from parure.errors import ParureError

LOCAL = "local"  # the address of a temporary cluster on this machine alone
CONNECT_TIMEOUT = 10.0  # seconds


def connect(address: str, jobs: int | None = None) -> tuple[Any, int]:
    """Connect to a cluster and return Ray with the number of tasks to run at a time.

    Args:
        address: Of the cluster; `local` starts one here.
        jobs: The number of tasks at a time; by default one for each CPU of the cluster.

    Raises:
        ParureError: Ray is not installed, or there is no cluster.
    """
    try:
        import ray
    except ImportError:
        raise ParureError(
            "--ray needs Ray, which is not installed: pip install 'parure[cluster]'"
        ) from None
    _check_reachable(address)
    try:
        ray.init(
            address=address,
            num_cpus=jobs if address == LOCAL else None,
            include_dashboard=False if address == LOCAL else None,
            log_to_driver=False,
            logging_level=logging.ERROR,
        )
    except (ConnectionError, ValueError, RuntimeError) as error:
        reason = str(error).partition("\n")[0]
        raise ParureError(f"no Ray cluster at {address!r}: {reason}") from None
    cpus = ray.cluster_resources().get("CPU", 1)  # type: ignore[no-untyped-call]
    return ray, jobs or max(int(cpus), 1)


def _check_reachable(address: str) -> None:
    """Raise ParureError if nothing listens at an address: Ray itself would try for minutes."""
    host, _, port = address.rpartition(":")
    if host and port.isdecimal() and "/" not in host:
        try:
            socket.create_connection((host, int(port)), timeout=CONNECT_TIMEOUT).close()
        except (OSError, OverflowError) as error:
            raise ParureError(f"no Ray cluster at {address!r}: {error}") from None
