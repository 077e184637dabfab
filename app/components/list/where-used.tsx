import { formatNumber } from './number-format.ts'
import { Link } from '@remix-run/react'
import { Facts } from './facts.tsx'

/** The users of one kind: some of them by name, and their total. */
export interface WhereUsedLine {
  label: string
  total: number
  users: { name: string; to: string }[]
}

/** Where a thing is used, a line per kind. `nowhere`: the text if it is unused. */
export function WhereUsed({ lines, nowhere }: { lines: WhereUsedLine[]; nowhere: string }) {
  if (!lines.length) return <p className="muted">{nowhere}</p>
  return <Facts facts={lines.map((line) => [line.label, <Users key={line.label} {...line} />])} />
}

function Users({ users, total }: WhereUsedLine) {
  const more = total - users.length
  return (
    <>
      {users.map(({ name, to }, i) => (
        <span key={to}>
          {i ? ', ' : ''}
          <Link to={to}>{name}</Link>
        </span>
      ))}
      {more > 0 ? ` and ${more} more` : ''}
    </>
  )
}

/** The same in a few words for a dialog: "insights: 3, pages: 1"; '' if unused. */
export function formatUseCounts(lines: readonly WhereUsedLine[]): string {
  const parts = lines.map(({ label, total }) => `${label.toLowerCase()}: ${formatNumber(total)}`)
  return parts.join(', ')
}
