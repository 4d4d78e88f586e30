"""Train a torch network by self-play: `python examples/alphazero.py [steps] [opponent]`."""

import sys

import numpy as np
import torch
from torch import nn

from parure import bot, envs


class Network(nn.Module):  # type: ignore[misc]
    def __init__(self, games: envs.Games) -> None:
        super().__init__()
        self.layout, decisions = games.observation_layout, games.masks.shape[1]
        sets = {f.name: f.shape[1] for f in self.layout.fields if f.shape[1:]}
        self.plain = {f.name: f.size for f in self.layout.fields if f.name not in {*sets, "unseen"}}
        self.encoders = nn.ModuleDict({k: nn.Linear(n, 64) for k, n in sets.items()})
        self.contexts = nn.ModuleDict({k: nn.Linear(sum(self.plain.values()), 64) for k in sets})
        self.first = nn.Linear(sum(self.plain.values()) + 64 * len(sets), 128)
        self.rest = nn.Sequential(nn.Linear(128, 128), nn.ReLU(), nn.Linear(128, decisions + 1))

    def forward(self, observations: torch.Tensor, masks: torch.Tensor) -> tuple[torch.Tensor, ...]:
        fields = self.layout.split(observations / torch.tensor(self.layout.max_values.clip(1)))
        sums = [torch.cat([fields[name] for name in self.plain], dim=1)]
        for name, layer in self.encoders.items():  # of cards; their order does not matter
            sums.append((layer(fields[name]) + self.contexts[name](sums[0])[:, None]).relu().sum(1))
        outputs = self.rest(self.first(torch.cat(sums, dim=1)).relu())
        return outputs[:, :-1].masked_fill(masks == 0, -1e9), outputs[:, -1].sigmoid()


def share_won(search: envs.BatchSearch, opponent: str, number: int) -> float:
    games, rival = envs.Games("splendor", number, seed=9, autoreset="off"), bot(opponent)
    while not games.is_over.all():
        decisions, is_own = games.random_decisions(), games.seats == np.arange(number) % 2
        decisions[is_own] = search.run(games.rows[is_own]).visits.argmax(axis=1)
        for i in np.flatnonzero(~is_own & ~games.is_over).tolist():
            decisions[i] = games.rules.decision(rival.decide(games.view(i, 1 - i % 2)).decision)
        games.step(decisions)
    return float(np.mean([games.rewards_if_ended(i)[i % 2] for i in range(number)]) + 1) / 2


def main(steps: int = 40_000, opponent: str = "greedy", number: int = 100) -> None:
    games = envs.Games("splendor", 256, seed=1, autoreset="same step", rewards="margin")
    network, rng = Network(games), np.random.default_rng(1)
    optimizer = torch.optim.AdamW(network.parameters())
    evaluate = torch.inference_mode()(lambda *arrays: network(*map(torch.from_numpy, arrays)))
    explorer = envs.BatchSearch(games.rules, evaluate, simulations=64, noise_share=0.25)
    quick = envs.BatchSearch(games.rules, evaluate, simulations=12)
    player = envs.BatchSearch(games.rules, evaluate, simulations=800, leaves=8)
    replay, histories = list[np.ndarray](), [list[tuple[int, np.ndarray]]() for _ in games.rows]
    for step in range(1, steps + 1):
        optimizer.param_groups[0]["lr"] = 2e-3 * (1 - (step - 1) / steps)
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
        del replay[:-300_000]
        for _ in range(5 if step % 4 == 0 and len(replay) > 5_000 else 0):
            batch = torch.tensor(np.stack([replay[i] for i in rng.integers(len(replay), size=512)]))
            observations, masks, policies, scores = batch.split(sizes, dim=1)
            logits, expected = network(observations, masks)
            loss = nn.CrossEntropyLoss()(logits, policies) + nn.BCELoss()(expected, scores[:, 0])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if step % 5000 == 0 or step == steps:
            print(f"{step} steps: {share_won(player, opponent, number):.0%} won", flush=True)


if __name__ == "__main__":
    main(*(int(word) if word.isdecimal() else word for word in sys.argv[1:]))  # type: ignore[arg-type]
