import type { ReactElement, ReactNode } from 'react'
import type { HubSection } from '#functions/shapes/hub-section.ts'
import { Drawings } from './drawings.tsx'
import { Figure } from './figure.tsx'
import type { FigureProps } from './figure.tsx'
import type { HubHeaderImage } from './hub-image.ts'
import { NumberFigure } from './number-figure.tsx'
import type { NumberFigureProps } from './number-figure.tsx'
import { SourceFacts, SourceLines, type SourceLine } from './source-lines.tsx'
import { StaleNotice } from './stale-notice.tsx'
import { StoryList } from './story-card.tsx'
import type { StorySummary } from './story-card.tsx'
import { TopicTiles, type TopicSummary } from './topic-tiles.tsx'
import { hubTexts } from './texts.ts'

export interface DomainSummary {
  id: string
  name: string
  notes?: string
  category?: string
  /** The link of the domain: its only public source, or the list. */
  href: string
  /** The number of public sources. */
  sourcesCount: number
}

/** A source with its chart, for places with few of them. */
interface SourceCard extends SourceLine {
  domain: string
  chart?: Pick<FigureProps, 'svg' | 'svgNarrow' | 'storedDrawing' | 'sentence' | 'name'>
}

export interface HubHomeProps {
  /** The headline; by default the place's name. */
  title: string
  intro?: string
  /** The sections in order. */
  sections: readonly HubSection[]
  headerImage?: HubHeaderImage
  numbers: NumberFigureProps[]
  /** The leading figure. */
  lead?: FigureProps
  stories: StorySummary[]
  domains: DomainSummary[]
  /** All sources, if there are few; else empty. */
  cards: SourceCard[]
  /** Topics, those with the most sources first. */
  topics: TopicSummary[]
  /** The most recently updated sources. */
  newest: SourceLine[]
  /** The link to all sources, if the page does not show them. */
  all?: { href: string; label: string }
  map?: FigureProps
  staleDate?: string
  locale: string
  base?: string
}

/** The home page: introduction, then the place's chosen sections in order. Empty sections are left out. */
export function HubHome(props: HubHomeProps) {
  const { title, intro, locale, headerImage, sections } = props
  return (
    <div className="page home">
      <StaleNotice date={props.staleDate} locale={locale} />
      <header className="home-head">
        <h1>{title}</h1>
        {intro ? <p className="lede">{intro}</p> : null}
        {headerImage ? <HeaderImage {...headerImage} /> : null}
      </header>
      {sections.map((name) => {
        const Section = shownAs[name]
        return <Section key={name} {...props} />
      })}
    </div>
  )
}

/** Full width; the browser chooses the size. */
function HeaderImage({ keeps, ...image }: HubHeaderImage) {
  return (
    <img
      className={`home-image is-${keeps}`}
      sizes="(min-width: 62rem) 60rem, 100vw"
      {...{ fetchpriority: 'high' }}
      decoding="async"
      referrerPolicy="no-referrer"
      {...image}
      alt={image.alt}
    />
  )
}

const shownAs: Record<HubSection, (props: HubHomeProps) => ReactElement | null> = {
  numbers: Numbers,
  chart: ({ lead }) => (lead ? <Figure {...lead} level={2} /> : null),
  stories: Stories,
  domains: Domains,
  map: PlaceMap,
}

function Numbers({ numbers, locale }: HubHomeProps) {
  if (numbers.length === 0) return null
  return (
    <section aria-labelledby="numbers">
      <h2 id="numbers" className="sr-only">
        {hubTexts(locale).keyNumbers}
      </h2>
      <ul className="numbers">
        {numbers.map((number) => (
          <li key={number.label}>
            <NumberFigure {...number} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Stories({ stories, locale, base = '' }: HubHomeProps) {
  const w = hubTexts(locale)
  if (stories.length === 0) return null
  return (
    <Section id="stories" title={w.featured} href={base + '/datastories'} more={w.allStories}>
      <StoryList stories={stories} isFeatured locale={locale} />
    </Section>
  )
}

function Domains(props: HubHomeProps) {
  const { domains, cards, topics, newest, all, locale, base = '' } = props
  const w = hubTexts(locale)
  if (domains.length === 0) return null
  const topicTiles =
    topics.length > 0 ? (
      <Section id="topics" title={w.topics} href={base + '/topics'} more={w.allTopics}>
        <TopicTiles topics={topics} locale={locale} />
      </Section>
    ) : null
  const domainTiles = (
    <Section id="domains" title={w.domains} href={base + '/domains'} more={w.allDomains}>
      {cards.length > 0 ? <Cards cards={cards} /> : <DomainTiles domains={domains} locale={locale} />}
    </Section>
  )
  return (
    <>
      {cards.length > 0 ? null : topicTiles}
      {domainTiles}
      {cards.length > 0 ? topicTiles : null}
      {newest.length > 0 && all ? (
        <Section id="newest" title={w.newest} href={all.href} more={all.label}>
          <SourceLines sources={newest} />
        </Section>
      ) : null}
    </>
  )
}

function Cards({ cards }: { cards: SourceCard[] }) {
  return (
    <ul className="source-cards">
      {cards.map(({ id, title, href, domain, facts, chart }) => (
        <li key={id}>
          <article className="source-card" aria-labelledby={`card-${id}`}>
            <p className="tag">{domain}</p>
            <h3 id={`card-${id}`}>
              <a href={href}>{title}</a>
            </h3>
            {chart && chart.svg !== '' ? (
              <div className={chart.svgNarrow ? 'card-figure has-narrow' : 'card-figure'}>
                <Drawings
                  svg={chart.svg}
                  svgNarrow={chart.svgNarrow}
                  storedDrawing={chart.storedDrawing}
                  labelledBy={`card-${id}`}
                />
              </div>
            ) : null}
            {chart?.sentence ? <p>{chart.sentence}</p> : null}
            <SourceFacts facts={facts} />
          </article>
        </li>
      ))}
    </ul>
  )
}

function PlaceMap({ map, locale, base = '' }: HubHomeProps) {
  const w = hubTexts(locale)
  if (!map) return null
  return (
    <Section id="map" title={w.maps} href={base + '/map'} more={w.openMap}>
      <Figure {...map} />
    </Section>
  )
}

interface SectionProps {
  id: string
  title: string
  /** The link to more, and its label. */
  href: string
  more: string
  children: ReactNode
}

function Section({ id, title, href, more, children }: SectionProps) {
  return (
    <section aria-labelledby={id}>
      <div className="section-head">
        <h2 id={id}>{title}</h2>
        <a href={href}>{more}</a>
      </div>
      {children}
    </section>
  )
}

function DomainTiles({ domains, locale }: { domains: DomainSummary[]; locale: string }) {
  const w = hubTexts(locale)
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
