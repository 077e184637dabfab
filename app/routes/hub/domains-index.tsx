import { EmptyState } from '#app/components/state/empty-state.tsx'
import { frameWords, words } from '#app/components/hub/words.ts'

export interface DomainEntry {
  id: string
  name: string
  category?: string
  notes?: string
  /** Public indicators by name, each with how many records it has and how new they are. */
  sources: { id: string; name: string; href: string; records?: string; date?: string }[]
}

export interface DomainsIndexProps {
  domains: DomainEntry[]
  intro?: string
  locale: string
}

/** Every domain of the place with its public indicators: an index to read down, not tiles to decode. */
export function DomainsIndex({ domains, intro, locale }: DomainsIndexProps) {
  const w = words(locale)
  return (
    <div className="page">
      <header className="page-head">
        <h1>{w.domains}</h1>
        <p className="lede">{frameWords(locale).byTopic}</p>
        {intro ? <p className="lede">{intro}</p> : null}
      </header>
      {domains.length === 0 ? <EmptyState title={w.noDomains} text={w.noDomainsText} level={2} /> : null}
      {domains.map((domain) => (
        <section className="domain" key={domain.id} aria-labelledby={`domain-${domain.id}`}>
          <div className="domain-head">
            <h2 id={`domain-${domain.id}`}>{domain.name}</h2>
            {domain.category ? <p className="tag">{domain.category}</p> : null}
            {domain.notes ? <p className="muted">{domain.notes}</p> : null}
          </div>
          {domain.sources.length === 0 ? (
            <p className="muted">{w.noSources}</p>
          ) : (
            <ul className="source-list">
              {domain.sources.map((source) => (
                <li key={source.id}>
                  <a href={source.href}>{source.name}</a>
                  {source.records ? (
                    <span className="source-records">
                      {source.records}
                      {source.date ? <small>{source.date}</small> : null}
                    </span>
                  ) : null}
                </li>
              ))}
            </ul>
          )}
        </section>
      ))}
    </div>
  )
}
