import { words } from './words.ts'

/** The page of search results with its places to fill: stored once, completed for each search. */
export function SearchShell({
  slots,
  locale,
}: {
  slots: { query: string; count: string; results: string }
  locale: string
}) {
  const w = words(locale)
  return (
    <div className="page">
      <header className="page-head">
        <h1>{w.resultsFor(slots.query)}</h1>
        <p className="lede" role="status">
          {slots.count}
        </p>
      </header>
      <ul className="results">
        <li>{slots.results}</li>
      </ul>
    </div>
  )
}
