import { words } from '#app/components/hub/words.ts'

/** The page of search results with its places to fill: stored once a language, completed for each search. */
export function SearchShell({
  slots: slot,
  index,
  locale,
}: {
  slots: Record<'query' | 'count' | 'kinds' | 'domains' | 'results' | 'pages', string>
  /** The address of the index that fills the page. */
  index: string
  locale: string
}) {
  const w = words(locale)
  const { search } = w
  return (
    <div className="page" data-search-index={index}>
      <header className="page-head">
        <h1>{w.resultsFor(slot.query)}</h1>
        <p className="lede" role="status">
          {slot.count}
        </p>
      </header>
      <nav className="search-choices" aria-label={search.byKind}>
        <ul>
          <li>{slot.kinds}</li>
        </ul>
      </nav>
      <nav className="search-choices" aria-label={search.byDomain}>
        <ul>
          <li>{slot.domains}</li>
        </ul>
      </nav>
      <ul className="results">
        <li>{slot.results}</li>
      </ul>
      <nav className="search-pages" aria-label={w.resultsFor(slot.query)}>
        <ul>
          <li>{slot.pages}</li>
        </ul>
      </nav>
    </div>
  )
}
