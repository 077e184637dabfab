/** A page that is larger, in bytes of what its parts say, keeps no versions. */
export const largestKeptPage = 10_000_000
