import { ContactLink } from '#app/components/hub/contact-link.tsx'
import { RichText } from '#app/components/hub/rich-text.tsx'
import { frameTexts, hubTexts } from '#app/components/hub/texts.ts'
import { formatTag, toLocale } from '#functions/shapes/locale.ts'
import { plural } from '#functions/shapes/plural.ts'

export interface AboutPageProps {
  title?: string
  /** Sanitised by the server. */
  html: string
  /** Facts of the hub: term, and a value with an optional link. */
  facts: { term: string; value: string; href?: string }[]
  /** An email or web address; '' for none. */
  contact: string
  /** The licences of its public sources, the most frequent first, and the number of sources without one. */
  licences: { names: { name: string; href?: string; sources: string }[]; without: number }
  /** Documents for feed readers and catalogues. */
  feeds: { label: string; format: string; href: string }[]
  locale: string
}

/** The about page of a hub: publisher, licences, contact, and feeds. */
export function AboutPage({ title, html, facts, contact, licences, feeds, locale }: AboutPageProps) {
  const w = frameTexts(locale)
  return (
    <div className="page about">
      <header className="page-head">
        <h1>{title ?? hubTexts(locale).about}</h1>
      </header>
      <RichText html={html} />
      {facts.length > 0 ? (
        <dl className="facts-list">
          {facts.map((fact) => (
            <div key={fact.term}>
              <dt>{fact.term}</dt>
              <dd>{fact.href ? <a href={fact.href}>{fact.value}</a> : fact.value}</dd>
            </div>
          ))}
        </dl>
      ) : null}
      <section aria-labelledby="contact">
        <h2 id="contact">{w.footer.contact}</h2>
        <p>{contact ? <ContactLink contact={contact} /> : w.noContact}</p>
      </section>
      <Licences licences={licences} locale={locale} />
      <section aria-labelledby="feeds">
        <h2 id="feeds">{w.footer.feeds}</h2>
        <p className="muted">{w.feeds.text}</p>
        <ul className="source-list">
          {feeds.map(({ label, format, href }) => (
            <li key={href}>
              <a href={href}>
                {label} (<bdi>{format}</bdi>)
              </a>
            </li>
          ))}
        </ul>
      </section>
    </div>
  )
}

function Licences({ licences: { names, without }, locale }: Pick<AboutPageProps, 'licences' | 'locale'>) {
  const w = frameTexts(locale)
  return (
    <section aria-labelledby="licences">
      <h2 id="licences">{w.footer.licences}</h2>
      <p className="muted">{names.length > 0 ? w.licences.text : w.licences.empty}</p>
      {names.length > 0 ? (
        <ul className="source-list">
          {names.map(({ name, href, sources }) => (
            <li key={name}>
              {href ? <a href={href}>{name}</a> : <span>{name}</span>}
              <span className="muted">{sources}</span>
            </li>
          ))}
        </ul>
      ) : null}
      {names.length > 0 && without > 0 ? (
        <p>{plural(w.licences.none, without, formatTag(toLocale(locale)))}</p>
      ) : null}
    </section>
  )
}
