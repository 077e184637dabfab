import { Figure } from './figure.tsx'
import type { FigureProps } from './figure.tsx'
import { NumberFigure } from './number-figure.tsx'
import type { NumberFigureProps } from './number-figure.tsx'
import { StaleNotice } from './stale-notice.tsx'
import { StoryCard } from './story-card.tsx'
import type { StorySummary } from './story-card.tsx'
import { words } from './words.ts'

export interface DomainSummary {
  id: string
  name: string
  notes?: string
  category?: string
  /** Where the domain begins: its first public indicator, or /domains. */
  href: string
  /** The number of public indicators. */
  sourcesCount: number
}

export interface HubHomeProps {
  /** The headline; the place's name when it has not written one. */
  title: string
  intro?: string
  headerImage?: { src: string; alt: string; width: number; height: number }
  numbers: NumberFigureProps[]
  /** The one figure the page opens with. */
  lead?: FigureProps
  stories: StorySummary[]
  domains: DomainSummary[]
  map?: FigureProps
  staleDate?: string
  locale: string
  base?: string
}

/** The first page: who speaks, the numbers that matter today, then stories, domains and the map. */
export function HubHome(props: HubHomeProps) {
  const { title, intro, numbers, lead, stories, domains, map, locale, base = '', headerImage } = props
  const w = words(locale)
  return (
    <div className="page home">
      <StaleNotice date={props.staleDate} locale={locale} />
      <header className="home-head">
        <h1>{title}</h1>
        {intro ? <p className="lede">{intro}</p> : null}
        {headerImage ? <img className="home-image" {...headerImage} /> : null}
      </header>
      {numbers.length > 0 ? (
        <section aria-labelledby="numbers">
          <h2 id="numbers" className="sr-only">
            {w.keyNumbers}
          </h2>
          <ul className="numbers">
            {numbers.map((number) => (
              <li key={number.label}>
                <NumberFigure {...number} />
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      {lead ? <Figure {...lead} level={2} /> : null}
      {stories.length > 0 ? (
        <section aria-labelledby="stories">
          <div className="section-head">
            <h2 id="stories">{w.featured}</h2>
            <a href={base + '/datastories'}>{w.allStories}</a>
          </div>
          <ul className="stories is-featured">
            {stories.map((story) => (
              <li key={story.id}>
                <StoryCard {...story} />
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      {domains.length > 0 ? (
        <section aria-labelledby="domains">
          <div className="section-head">
            <h2 id="domains">{w.domains}</h2>
            <a href={base + '/domains'}>{w.allDomains}</a>
          </div>
          <DomainTiles domains={domains} locale={locale} />
        </section>
      ) : null}
      {map ? (
        <section aria-labelledby="map">
          <div className="section-head">
            <h2 id="map">{w.maps}</h2>
            <a href={base + '/map'}>{w.openMap}</a>
          </div>
          <Figure {...map} />
        </section>
      ) : null}
    </div>
  )
}

function DomainTiles({ domains, locale }: { domains: DomainSummary[]; locale: string }) {
  const w = words(locale)
  return (
    <ul className="domain-tiles">
      {domains.map((domain) => (
        <li key={domain.id}>
          <a href={domain.href}>
            <span className="domain-name">{domain.name}</span>
            <span className="domain-count">
              {domain.sourcesCount === 0 ? w.noSources : w.indicators(domain.sourcesCount)}
            </span>
          </a>
        </li>
      ))}
    </ul>
  )
}
