import { Breadcrumb, type Crumb } from '#app/components/hub/breadcrumb.tsx'
import { ListOrders, type ListOrdersProps } from '#app/components/hub/list-orders.tsx'
import { SourceLines, type SourceLine } from '#app/components/hub/source-lines.tsx'
import { StoryList, type StorySummary } from '#app/components/hub/story-card.tsx'
import { hubTexts } from '#app/components/hub/texts.ts'

export interface CatalogueGroupProps extends ListOrdersProps {
  title: string
  /** The breadcrumb, outermost first. */
  crumbs: Crumb[]
  /** A description in plain text. */
  notes?: string
  /** The number of its sources, and their domains if there may be several. */
  total: string
  count: number
  domains: string[]
  /** The first of them, by name. */
  sources: SourceLine[]
  /** Stories that use some of them. */
  stories: StorySummary[]
  locale: string
}

/** The page of a topic or a domain. */
export function CatalogueGroup({
  title,
  crumbs,
  notes,
  total,
  count,
  domains,
  sources,
  stories,
  locale,
  ...list
}: CatalogueGroupProps) {
  const w = hubTexts(locale)
  return (
    <div className="page">
      <header className="page-head">
        <Breadcrumb label={crumbs[0]?.label ?? title} crumbs={crumbs} />
        <h1 dir="auto">{title}</h1>
        {notes ? (
          <p className="lede">
            <bdi>{notes}</bdi>
          </p>
        ) : null}
        <p className={notes ? undefined : 'lede'}>
          {w.indicators(count)}
          {domains.length > 0 ? ': ' : null}
          <bdi>{domains.join(', ')}</bdi>
        </p>
      </header>
      <section aria-labelledby="indicators">
        <h2 id="indicators">{w.indicatorsTitle}</h2>
        <ListOrders {...list} locale={locale} />
        <SourceLines sources={sources} />
        {sources.length < count ? (
          <p>
            <a className="button" rel="nofollow" href={list.allHref}>
              {w.showAll(total)}
            </a>
          </p>
        ) : null}
      </section>
      {stories.length > 0 ? (
        <section aria-labelledby="stories">
          <h2 id="stories">{w.stories}</h2>
          <StoryList stories={stories} locale={locale} />
        </section>
      ) : null}
    </div>
  )
}
