import { Breadcrumb } from '#app/components/hub/breadcrumb.tsx'
import { ListOrders, type ListOrdersProps } from '#app/components/hub/list-orders.tsx'
import { SourceLines, type SourceLine } from '#app/components/hub/source-lines.tsx'
import { StoryCard, type StorySummary } from '#app/components/hub/story-card.tsx'
import { TopicTiles, type TopicSummary } from '#app/components/hub/topic-tiles.tsx'
import { words } from '#app/components/hub/words.ts'
import { EmptyState } from '#app/components/state/empty-state.tsx'

export interface TopicsIndexProps {
  /** Those with the most indicators first. */
  topics: TopicSummary[]
  locale: string
}

/** Every topic of a hub with how many indicators it has. */
export function TopicsIndex({ topics, locale }: TopicsIndexProps) {
  const w = words(locale)
  return (
    <div className="page">
      <header className="page-head">
        <h1>{w.topics}</h1>
        <p className="lede">{w.topicsText}</p>
      </header>
      {topics.length === 0 ? (
        <EmptyState title={w.noTopics} text={w.noTopicsText} level={2} />
      ) : (
        <section aria-labelledby="topics">
          <h2 className="sr-only" id="topics">
            {w.allTopics}
          </h2>
          <TopicTiles topics={topics} locale={locale} />
        </section>
      )}
    </div>
  )
}

export interface TopicPageProps extends ListOrdersProps {
  title: string
  topicsHref: string
  /** How many indicators it has, and of which domains. */
  total: string
  count: number
  domains: string[]
  /** The first of them, by name. */
  sources: SourceLine[]
  /** Stories that use some of them. */
  stories: StorySummary[]
  locale: string
}

/** What a hub has on one topic. */
export function TopicPage({
  title,
  topicsHref,
  total,
  count,
  domains,
  sources,
  stories,
  locale,
  ...list
}: TopicPageProps) {
  const w = words(locale)
  return (
    <div className="page">
      <header className="page-head">
        <Breadcrumb label={w.topics} crumbs={[{ label: w.topics, href: topicsHref }]} />
        <h1 dir="auto">{title}</h1>
        <p className="lede">
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
          <ul className="stories">
            {stories.map((story) => (
              <li key={story.id}>
                <StoryCard {...story} locale={locale} />
              </li>
            ))}
          </ul>
        </section>
      ) : null}
    </div>
  )
}
