import { EmptyState } from '#app/components/state/empty-state.tsx'
import { ListOrders, type ListOrdersProps } from '#app/components/hub/list-orders.tsx'
import { SourceLines, type SourceLine } from '#app/components/hub/source-lines.tsx'
import { frameTexts, hubTexts } from '#app/components/hub/texts.ts'

export interface DomainEntry {
  id: string
  name: string
  /** Its page; absent without public sources. */
  href?: string
  category?: string
  notes?: string
  /** Its first public sources by name. */
  sources: SourceLine[]
  /** The link to all of them, if only some are listed. */
  all?: { href: string; label: string }
}

export interface DomainsIndexProps extends Partial<ListOrdersProps> {
  domains: DomainEntry[]
  /** The list of topics, if the hub has any. */
  topicsHref?: string
  intro?: string
  locale: string
}

/** All domains of the place with their public sources, as a readable index. */
export function DomainsIndex({
  domains,
  intro,
  topicsHref,
  orders = [],
  allHref = '',
  locale,
}: DomainsIndexProps) {
  const w = hubTexts(locale)
  return (
    <div className="page">
      <header className="page-head">
        <h1>{w.domains}</h1>
        {intro ? <p className="lede">{intro}</p> : null}
        {topicsHref ? (
          <p className="lede">
            <a href={topicsHref}>{frameTexts(locale).byTopic}</a>
          </p>
        ) : null}
        <ListOrders {...{ orders, allHref, locale }} />
      </header>
      {domains.length === 0 ? <EmptyState title={w.noDomains} text={w.noDomainsText} level={2} /> : null}
      {domains.map((domain) => (
        <section
          className="domain"
          key={domain.id}
          id={`domain-${domain.id}`}
          aria-labelledby={`name-${domain.id}`}
        >
          <div className="domain-head">
            <h2 id={`name-${domain.id}`}>
              {domain.href ? <a href={domain.href}>{domain.name}</a> : domain.name}
            </h2>
            {domain.category ? <p className="tag">{domain.category}</p> : null}
            {domain.notes ? <p className="muted">{domain.notes}</p> : null}
          </div>
          {domain.sources.length === 0 ? (
            <p className="muted">{w.noSources}</p>
          ) : (
            <div>
              <SourceLines sources={domain.sources} />
              {domain.all ? (
                <p>
                  <a rel="nofollow" href={domain.all.href}>
                    {domain.all.label}
                  </a>
                </p>
              ) : null}
            </div>
          )}
        </section>
      ))}
    </div>
  )
}
