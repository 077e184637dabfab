import { Link } from '@remix-run/react'
import { ChevronLeft, ChevronRight } from 'lucide-react'

export interface EntryNavProps {
  /** The name of the collection. */
  name: string
  /** The position, from 1, and the number of entries. */
  at: number
  of: number
  previous: { to: string; name: string } | null
  next: { to: string; name: string } | null
}

/** The position of an entry in its collection, with links to its neighbours. */
export function EntryNav({ name, at, of, previous, next }: EntryNavProps) {
  return (
    <nav className="pager" aria-label={`What is in ${name}`}>
      <p>
        {at} of {of}
      </p>
      <div className="button-group">
        {previous ? (
          <Link className="button is-small" rel="prev" to={previous.to}>
            <ChevronLeft size={16} aria-hidden="true" />
            {previous.name}
          </Link>
        ) : null}
        {next ? (
          <Link className="button is-small" rel="next" to={next.to}>
            {next.name}
            <ChevronRight size={16} aria-hidden="true" />
          </Link>
        ) : null}
      </div>
    </nav>
  )
}
