import { Link, useLocation } from '@remix-run/react'
import { pickNounForm, pageHref, rangeText, type ListQuery } from './list-query.ts'

interface PagerProps {
  query: Pick<ListQuery, 'page' | 'pageSize'>
  /** Number of rows on this page. */
  visibleCount: number
  total: number
  /** The noun in the plural: "sources". */
  noun: string
  /** The name of the parameter with the number of the page, if the steps submit the form around them, instead of being links. */
  submits?: string
}

/** The range of rows shown, and links, or buttons of the form around it, to the previous and next page. */
export function Pager({ query, visibleCount, total, noun, submits }: PagerProps) {
  const { search } = useLocation()
  const { page, pageSize } = query
  const hasNext = page * pageSize < total
  return (
    <nav className="pager" aria-label={`Pages of ${noun}`}>
      <p>
        {rangeText(query, visibleCount, total)} {pickNounForm(total, noun)}
      </p>
      {page > 1 || hasNext ? (
        <div className="button-group">
          <Step page={page > 1 ? page - 1 : null} {...{ search, submits }}>
            Previous
          </Step>
          <Step page={hasNext ? page + 1 : null} {...{ search, submits }}>
            Next
          </Step>
        </div>
      ) : null}
    </nav>
  )
}

interface StepProps extends Pick<PagerProps, 'submits'> {
  /** The number of the page; null: there is none. */
  page: number | null
  search: string
  children: string
}

function Step({ page, search, submits, children }: StepProps) {
  if (page === null) {
    return (
      <span className="button is-small" aria-disabled="true">
        {children}
      </span>
    )
  }
  if (submits !== undefined)
    return (
      <button className="button is-small" name={submits} value={page}>
        {children}
      </button>
    )
  return (
    <Link className="button is-small" to={pageHref(search, page)} preventScrollReset>
      {children}
    </Link>
  )
}
