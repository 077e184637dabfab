import type { BoundarySetFinding } from '#functions/shapes/boundary-set.ts'
import { ListedPart } from './listed-part.tsx'

const words = { repaired: 'Repaired', leftOut: 'Left out', noted: 'Noted' }

interface NamedFinding extends BoundarySetFinding {
  /** What the area is called; null for the file as a whole, and for what was left out. */
  name: string | null
}

/** What was repaired, left out or noticed in the file; nothing if there is nothing. */
export function FoundList({ findings, count }: { findings: NamedFinding[]; count: number }) {
  if (count === 0) return null
  return (
    <section aria-labelledby="found" className="stack">
      <h2 id="found">What was done to the file</h2>
      <ul>
        {findings.map(({ kind, message, number, name }, i) => (
          <li key={i}>
            <strong>{words[kind]}</strong>
            {name === null || name === String(number) ? null : (
              <>
                , <bdi>{name}</bdi>
              </>
            )}
            {number === null ? ': ' : `, number ${number}: `}
            {message}
          </li>
        ))}
      </ul>
      <ListedPart listedCount={findings.length} count={count} />
    </section>
  )
}
