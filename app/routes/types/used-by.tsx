import { Link } from '@remix-run/react'
import { Facts } from '#app/components/list/facts.tsx'

interface NamedRow {
  id: string
  name: string
}
interface UseList {
  some: NamedRow[]
  total: number
}

export interface UsedByProps {
  dataTypeId: string
  sources: NamedRow[]
  uses: { insights: UseList; observers: UseList }
}

/** The uses of a data type in this organization: the first few by name, and the total. */
export function UsedBy({ dataTypeId, sources, uses }: UsedByProps) {
  const { insights, observers } = uses
  if (!sources.length && !insights.total && !observers.total)
    return <p className="muted">Nothing in this organization is made of it yet.</p>
  return (
    <Facts
      facts={[
        ['Sources', line({ some: sources.slice(0, 10), total: sources.length }, (id) => `/sources/${id}`)],
        ['Insights', line(insights, (id) => `/insights/${id}`)],
        ['Observers', line(observers, (id) => `/types/${dataTypeId}/observers/${id}`)],
      ]}
    />
  )
}

function line({ some, total }: UseList, to: (id: string) => string) {
  if (!total) return null
  return (
    <>
      {some.map(({ id, name }, i) => (
        <span key={id}>
          {i ? ', ' : ''}
          <Link to={to(id)}>{name}</Link>
        </span>
      ))}
      {total > some.length ? ` and ${total - some.length} more` : ''}
    </>
  )
}
