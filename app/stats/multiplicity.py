"""Many tests at once."""

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import false_discovery_control


def fdr(p_values: ArrayLike) -> NDArray[np.float64]:
    """Two-sided p values adjusted by Benjamini and Hochberg (1995), in the shape given.

    Calling those at or below q significant keeps the expected share of false ones below q. NaN (a test that could not
    be made) stays NaN and does not count as a test. Of a symmetric matrix pass one triangle: the other repeats it.
    """
    p_values = np.asarray(p_values, dtype=float)
    adjusted = np.full(p_values.shape, np.nan)
    made = ~np.isnan(p_values)
    if made.any():
        adjusted[made] = false_discovery_control(p_values[made], method="bh")
    return adjusted
