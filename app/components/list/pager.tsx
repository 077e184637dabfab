import { Link, useLocation } from '@remix-run/react'
import { nounOf, pageHref, rangeText, type ListQuery } from './list-query.ts'

interface PagerProps {
  query: Pick<ListQuery, 'page' | 'pageSize'>
  /** Number of rows on this page. */
  visibleCount: number
  total: number
  /** The noun in the plural: "sources". */
  noun: string
}

/** The range of rows shown, and links to the previous and next page. */
export function Pager({ query, visibleCount, total, noun }: PagerProps) {
  const { search } = useLocation()
  const { page, pageSize } = query
  const hasNext = page * pageSize < total
  return (
    <nav className="pager" aria-label={`Pages of ${noun}`}>
      <p>
        {rangeText(query, visibleCount, total)} {nounOf(total, noun)}
      </p>
      {page > 1 || hasNext ? (
        <div className="button-group">
          <Step to={page > 1 ? pageHref(search, page - 1) : null}>Previous</Step>
          <Step to={hasNext ? pageHref(search, page + 1) : null}>Next</Step>
        </div>
      ) : null}
    </nav>
  )
}

function Step({ to, children }: { to: string | null; children: string }) {
  if (to === null) {
    return (
      <span className="button is-small" aria-disabled="true">
        {children}
      </span>
    )
  }
  return (
    <Link className="button is-small" to={to} preventScrollReset>
      {children}
    </Link>
  )
}
