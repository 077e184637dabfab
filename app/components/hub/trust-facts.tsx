import type { ReactNode } from 'react'
import { trustTexts, hubTexts } from './texts.ts'

/** Publisher, currency and quality of a source's data; unknown facts are absent. */
export interface TrustFacts {
  coverage?: string
  cadence?: string
  /** When the next data are expected, or were if they are late. */
  next?: { date: string; dateTime: string; isLate?: true }
  publisher: { name: string; href?: string }
  contact?: { name: string; href?: string }
  licence?: { name: string; href?: string }
  /** The version with its date, and its changes; '' if unknown. */
  version?: { name: string; changes?: string }
  quality: string[]
  topic?: string
  tags: string[]
  /** Values of custom fields, in order; absent without any. */
  own?: { title: string; lines: string[]; href?: string }[]
  /** The page that describes the fields. */
  fieldsHref: string
  /** The form for reporting errors. */
  reportHref: string
  /** The citation, and the permanent page with other formats. */
  cite?: { text: string; permanent: string }
}

interface TrustProps {
  notes?: string
  trust?: TrustFacts
  /** The page of its topic. */
  topicHref?: string
  updated?: { date: string; dateTime: string }
  attribution?: { name: string; href?: string }
  domain: { name: string; href: string }
  followHref?: string
  locale: string
}

/** Description and trust facts of a source. */
export function TrustSection(props: TrustProps) {
  const { notes, trust, locale } = props
  return (
    <section aria-labelledby="facts" className="facts">
      <h2 id="facts">{hubTexts(locale).facts}</h2>
      {notes ? <p className="facts-notes">{notes}</p> : null}
      <TrustList {...props} />
      {trust ? (
        <p className="trust-ways">
          <a className="button" href={trust.fieldsHref}>
            {trustTexts(locale).fields.link}
          </a>
          <a className="button" href={trust.reportHref}>
            {trustTexts(locale).reportError}
          </a>
        </p>
      ) : null}
      {trust?.cite ? <Cite {...trust.cite} locale={locale} /> : null}
    </section>
  )
}

/** The citation with its permanent URL, where machine-readable formats are. */
function Cite({ text, permanent, locale }: NonNullable<TrustFacts['cite']> & { locale: string }) {
  const w = trustTexts(locale).cite
  return (
    <details className="cite" id="cite">
      <summary>{w.title}</summary>
      <pre dir="auto">{text}</pre>
      <a href={permanent}>{w.permanent}</a> (BibTeX, RIS)
    </details>
  )
}

function TrustList({ trust, topicHref, updated, attribution, domain, followHref, locale }: TrustProps) {
  const w = hubTexts(locale)
  const t = trustTexts(locale)
  return (
    <dl className="facts-list">
      {updated ? (
        <Fact term={w.updated}>
          <time dateTime={updated.dateTime}>{updated.date}</time>
          {followHref ? <a href={followHref}>{w.follow}</a> : null}
        </Fact>
      ) : null}
      {trust?.cadence ? (
        <Fact term={t.cadence}>
          <span>{trust.cadence}</span>
        </Fact>
      ) : null}
      {trust?.next ? (
        <Fact term={trust.next.isLate ? t.late : t.nextUpdate}>
          <time dateTime={trust.next.dateTime}>{trust.next.date}</time>
        </Fact>
      ) : null}
      {trust?.coverage ? (
        <Fact term={t.coverage}>
          <bdi>{trust.coverage}</bdi>
        </Fact>
      ) : null}
      {trust?.version ? (
        <Fact term={t.version}>
          <span>{trust.version.name}</span>
          {trust.version.changes ? <span className="muted">{trust.version.changes}</span> : null}
        </Fact>
      ) : null}
      {trust && trust.quality.length > 0 ? (
        <Fact term={t.quality}>
          {trust.quality.map((line) => (
            <span key={line}>{line}</span>
          ))}
        </Fact>
      ) : null}
      {attribution ? <Fact term={w.attribution}>{linkTo(attribution)}</Fact> : null}
      {trust ? <Fact term={t.publisher}>{linkTo(trust.publisher)}</Fact> : null}
      {trust?.contact ? <Fact term={t.contact}>{linkTo(trust.contact)}</Fact> : null}
      {trust?.licence ? <Fact term={w.licence}>{linkTo(trust.licence)}</Fact> : null}
      <Fact term={w.domain}>{linkTo(domain)}</Fact>
      {trust?.topic ? (
        <Fact term={t.topic}>{linkTo({ name: trust.topic, ...(topicHref && { href: topicHref }) })}</Fact>
      ) : null}
      {trust && trust.tags.length > 0 ? (
        <Fact term={t.tags}>{linkTo({ name: trust.tags.join(' · ') })}</Fact>
      ) : null}
      {trust?.own?.map(({ title, lines, href }) => (
        <Fact key={title} term={title}>
          {lines.map((name) => (
            <span key={name}>{linkTo({ name, ...(href && { href }) })}</span>
          ))}
        </Fact>
      ))}
    </dl>
  )
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** A name entered by a person, with its own text direction. */
function linkTo({ name, href }: { name: string; href?: string }) {
  return href ? (
    <a href={href} dir="auto">
      {name}
    </a>
  ) : (
    <bdi>{name}</bdi>
  )
}
