import { words } from './words.ts'

export interface SearchResult {
  kind: 'domain' | 'indicator' | 'story'
  title: string
  href: string
  /** One line: the domain of an indicator, the summary of a story. */
  note?: string
}

export interface SearchResultsProps {
  query: string
  /** By name or title. */
  results: SearchResult[]
  /** The number of results, formatted. */
  count: string
  locale: string
}

/** The answer to `/?search=`, for readers without scripts and for links to a search. */
export function SearchResults({ query, results, count, locale }: SearchResultsProps) {
  const w = words(locale)
  return (
    <div className="page">
      <header className="page-head">
        <h1>{w.resultsFor(query)}</h1>
        <p className="lede" role="status">
          {results.length === 0 ? w.none : w.results.replace('{n}', count)}
        </p>
        {results.length === 0 ? <p className="muted">{w.noneHint}</p> : null}
      </header>
      <ul className="results">
        {results.map((result) => (
          <li key={result.kind + result.href + result.title}>
            <span className="tag">{w.kinds[result.kind]}</span>
            <a href={result.href}>{result.title}</a>
            {result.note ? <p className="muted">{result.note}</p> : null}
          </li>
        ))}
      </ul>
    </div>
  )
}
