import { formatNumber } from '#app/components/list/number-format.ts'
import type { BoundarySetNesting } from '#functions/shapes/boundary-set.ts'
import { ListedPart } from './listed-part.tsx'

interface NestingListProps {
  nesting: BoundarySetNesting | null
  /** The number of areas in the set. */
  count: number
  /** The name of the parent set. */
  parent: string
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`

/** How many of the areas lie in an area of the parent; `apart`: how many do not. */
function nestingText(count: number, apart: number): string {
  const inside = count - apart
  if (apart === 0)
    return count === 1
      ? 'The area lies in one of its areas.'
      : `Each of the ${formatNumber(count)} areas lies in one of its areas.`
  const lie = `${formatNumber(inside)} of ${formatNumber(count)} areas ${inside === 1 ? 'lies' : 'lie'}`
  return `${lie} in one of its areas; ${apart === 1 ? 'this does' : 'these do'} not:`
}

/** Whether each area is within one of the parent set, and which are not; nothing without a parent. */
export function NestingList({ nesting, count, parent }: NestingListProps) {
  if (!nesting) return null
  const { apart, areas } = nesting
  return (
    <section aria-labelledby="nesting" className="stack">
      <h2 id="nesting">Parts of {parent}</h2>
      <p>{nestingText(count, apart)}</p>
      {apart > 0 ? (
        <ul>
          {areas.map(({ number, name, parent: most, share }) => (
            <li key={number}>
              <bdi>{name}</bdi>:{' '}
              {most === null ? (
                'in none of its areas'
              ) : (
                <>
                  {percent(share)} in <bdi>{most}</bdi>
                </>
              )}
            </li>
          ))}
        </ul>
      ) : null}
      <ListedPart listedCount={areas.length} count={apart} />
    </section>
  )
}
