/** Larger pages have no stored versions; the size of their contents in bytes. */
export const largestKeptPage = 10_000_000
