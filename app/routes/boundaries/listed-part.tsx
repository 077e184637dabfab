import { formatNumber } from '#app/components/list/number-format.ts'

/** Says that a list is not whole; nothing for one that is. */
export function ListedPart({ listedCount, count }: { listedCount: number; count: number }) {
  if (listedCount >= count) return null
  return (
    <p className="muted">
      The first {listedCount} of {formatNumber(count)}.
    </p>
  )
}
