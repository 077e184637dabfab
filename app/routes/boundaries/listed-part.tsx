import { formatNumber } from '#app/components/list/number-format.ts'

/** Says that a list is not whole; nothing for one that is. */
export function ListedPart({ listed, count }: { listed: number; count: number }) {
  if (listed >= count) return null
  return (
    <p className="muted">
      The first {listed} of {formatNumber(count)}.
    </p>
  )
}
