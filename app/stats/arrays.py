"""The arrays that the statistics take, checked once."""

import numpy as np
from numpy.typing import ArrayLike, NDArray


def correctness(correct: ArrayLike) -> NDArray[np.bool_]:
    """`correct` as a boolean array of shape (runs, examples).

    Raises ValueError where it has another number of dimensions, no run, no example, or a value besides 0 and 1.
    """
    array = _filled(np.asarray(correct), "correct")
    if array.dtype != bool and not ((array == 0) | (array == 1)).all():
        raise ValueError("correct holds values besides 0 and 1")
    return array.astype(bool, copy=False)


def one_run(correct: ArrayLike) -> NDArray[np.bool_]:
    """`correct` of one run as a boolean array of shape (examples,); raises ValueError as `correctness` does."""
    array = np.asarray(correct)
    if array.ndim != 1:
        raise ValueError(f"one run's correctness has shape (examples,), not {array.shape}")
    return correctness(array[None])[0]


def label_codes(values: ArrayLike) -> tuple[NDArray[np.intp], int]:
    """Labels or correctness of shape (runs, examples) as codes 0 … k−1, and k.

    Integers and booleans are coded fast; strings are sorted first, which takes seconds for millions of them. Raises
    ValueError where a value is missing, or for another number of dimensions.
    """
    array = _filled(np.asarray(values), "labels")
    if array.dtype == bool:
        return array.astype(np.intp), 2
    # A missing value is None, or the NaN that does not equal itself.
    if np.equal(array, None).any() or (array != array).any():
        raise ValueError("labels are missing for some run and example")
    if array.dtype == object:
        array = array.astype(str)
    names, codes = np.unique(array, return_inverse=True)
    return codes.reshape(array.shape), len(names)


def _filled(array: np.ndarray, name: str) -> np.ndarray:
    if array.ndim != 2 or 0 in array.shape:
        raise ValueError(f"{name} has shape (runs, examples) with at least one of each, not {array.shape}")
    return array
