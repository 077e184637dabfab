import { formatNumber } from '#app/components/list/number-format.ts'
import type { BoundarySetNesting } from '#functions/shapes/boundarySet.ts'

interface NestingListProps {
  nesting: BoundarySetNesting | null
  /** The number of areas in the set. */
  count: number
  /** The name of the parent set. */
  parent: string
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`

/** Whether each area is within one of the parent set, and which are not; nothing without a parent. */
export function NestingList({ nesting, count, parent }: NestingListProps) {
  if (!nesting) return null
  const { apart, areas } = nesting
  return (
    <section aria-labelledby="nesting" className="stack">
      <h2 id="nesting">Parts of {parent}</h2>
      <p>
        {apart === 0
          ? `Each of the ${formatNumber(count)} areas lies in one of them.`
          : `${formatNumber(count - apart)} of ${formatNumber(count)} areas lie in one of them; these do not:`}
      </p>
      {apart > 0 ? (
        <ul>
          {areas.map(({ number, name, parent: most, share }) => (
            <li key={number}>
              <bdi>{name}</bdi>:{' '}
              {most === null ? (
                'in none of them'
              ) : (
                <>
                  {percent(share)} in <bdi>{most}</bdi>
                </>
              )}
            </li>
          ))}
        </ul>
      ) : null}
      {areas.length < apart ? (
        <p className="muted">
          The first {areas.length} of {formatNumber(apart)}.
        </p>
      ) : null}
    </section>
  )
}
