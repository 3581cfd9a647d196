"""Makes the environments known to Gymnasium."""

from __future__ import annotations

from gymnasium.envs.registration import register as register_environment
from gymnasium.envs.registration import registry

#: Environments by name, with the game that each is.
ENVIRONMENTS = {
    "Klondike": "klondike",
    "FreeCell": "freecell",
    "SameGame": "samegame",
    "Sailing": "sailing",
    "Tiger": "tiger",
    "GDL": "gdl",
}


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
            )
