"""Makes the environments known to Gymnasium."""

from __future__ import annotations

from gymnasium.envs.registration import register as register_environment
from gymnasium.envs.registration import registry

from . import _native


def _environment(name: str, title: str) -> str:
    """What an environment is called: as people call the game, if that is its name, or its name in
    capitals."""
    words = title.split()
    called = "".join(word[0].upper() + word[1:] for word in words)
    return called if called.lower() == name.replace("-", "") else name.upper()


#: Environments by name, with the game that each is: all games for one player that can be put into arrays.
ENVIRONMENTS = {
    _environment(info["name"], info["title"]): info["name"]
    for info in _native.games()
    if info["players"] == 1 and "arrays" in _native.game(info["name"]).capabilities
}


#: Moves after which a game is cut, where nothing else is said: some, as FreeCell, need not end by themselves.
LIMIT = 1000


def register() -> None:
    """Registers `Patience/Klondike-v0` and the others, once."""
    for name, game in ENVIRONMENTS.items():
        known = f"Patience/{name}-v0"
        if known not in registry:
            register_environment(
                id=known,
                entry_point="patience.envs:PatienceEnv",
                vector_entry_point="patience.envs:PatienceVectorEnv",
                kwargs={"game": game},
                max_episode_steps=LIMIT,
            )
