"""Train a torch network by self-play: `python examples/alphazero.py [steps] [opponent]`."""

import sys
from time import perf_counter

import numpy as np
import torch
from torch import nn

import parure
from parure.envs import BatchSearch, Games


class Network(nn.Module):  # type: ignore[misc]
    def __init__(self, games: Games) -> None:
        super().__init__()
        self.layout, decisions = games.observation_layout, games.masks.shape[1]
        self.scale = torch.tensor(self.layout.max_values.clip(1))
        sets = {field.name: field.shape[1] for field in self.layout.fields if field.shape[1:]}
        self.encoders = nn.ModuleDict({name: nn.Linear(size, 64) for name, size in sets.items()})
        self.first = nn.Linear(sum(64 if f.shape[1:] else f.size for f in self.layout.fields), 128)
        self.rest = nn.Sequential(nn.Linear(128, 128), nn.ReLU(), nn.Linear(128, decisions + 1))

    def forward(self, observations: torch.Tensor, masks: torch.Tensor) -> tuple[torch.Tensor, ...]:
        fields = self.layout.split(observations / self.scale)
        for name, encoder in self.encoders.items():  # of cards; their order does not matter
            fields[name] = encoder(fields[name]).relu().sum(dim=1)
        outputs = self.rest(self.first(torch.cat(list(fields.values()), dim=1)).relu())
        return outputs[:, :-1].masked_fill(masks == 0, -1e9), outputs[:, -1].sigmoid()


def share_won(search: BatchSearch, opponent: str, number: int) -> float:
    games, bot = Games("splendor", number, seed=9, autoreset="off"), parure.bot(opponent)
    while not games.is_over.all():
        decisions, is_own = games.random_decisions(), games.seats == np.arange(number) % 2
        decisions[is_own] = search.run(games.rows[is_own]).visits.argmax(axis=1)
        for i in np.flatnonzero(~is_own & ~games.is_over).tolist():
            decisions[i] = games.rules.decision(bot.decide(games.view(i, 1 - i % 2)).decision)
        games.step(decisions)
    return float(np.mean([games.rewards_if_ended(i)[i % 2] for i in range(number)]) + 1) / 2


def main(steps: int = 30_000, opponent: str = "greedy", number: int = 100) -> None:
    games = Games("splendor", 256, seed=1, autoreset="same step", rewards="margin")
    network, rng, start = Network(games), np.random.default_rng(1), perf_counter()
    optimizer = torch.optim.AdamW(network.parameters(), lr=2e-3)
    evaluate = torch.inference_mode()(lambda *arrays: network(*map(torch.from_numpy, arrays)))
    explorer = BatchSearch(games.rules, evaluate, simulations=64, noise_share=0.25)
    quick = BatchSearch(games.rules, evaluate, simulations=12)
    player = BatchSearch(games.rules, evaluate, simulations=256, leaves=4)
    replay, histories = list[np.ndarray](), [list[tuple[int, np.ndarray]]() for _ in games.rows]
    for step in range(1, steps + 1):
        visits, values = (quick if step % 4 else explorer).run(games.rows)
        if step % 4 == 0:  # the network learns from the long searches only
            parts = games.observations, games.masks, visits / 64, values[:, :1]
            rows, sizes = np.hstack(parts, dtype=np.float32), [part.shape[1] for part in parts]
            for history, seat, row in zip(histories, games.seats.tolist(), rows, strict=True):
                history.append((seat, row))
        games.step((visits**3 / rng.exponential(size=visits.shape)).argmax(axis=1))
        for i in np.flatnonzero(games.endings):
            for seat, row in histories[i]:  # the mean of the search's value and the result
                row[-1] = row[-1] / 2 + (np.tanh(5 * games.rewards[i, seat]) + 1) / 4
                replay.append(row)
            histories[i].clear()
        del replay[:-100_000]
        for _ in range(5 if step % 4 == 0 and len(replay) > 5_000 else 0):
            batch = torch.tensor(np.stack([replay[i] for i in rng.integers(len(replay), size=512)]))
            observations, masks, policies, scores = batch.split(sizes, dim=1)
            logits, expected = network(observations, masks)
            loss = nn.CrossEntropyLoss()(logits, policies) + nn.BCELoss()(expected, scores[:, 0])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if step % 500 == 0:
            seconds, share = perf_counter() - start, share_won(player, opponent, number)
            print(f"{step} steps, {seconds:.0f} s: {share:.0%} won", flush=True)


if __name__ == "__main__":
    main(*(int(word) if word.isdecimal() else word for word in sys.argv[1:]))  # type: ignore[arg-type]
