/** Larger pages have no stored versions; the size of their contents in bytes. */
export const maxVersionedPageBytes = 10_000_000
