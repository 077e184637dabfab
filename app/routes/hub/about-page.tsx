import { RichText } from '#app/components/hub/rich-text.tsx'
import { words } from '#app/components/hub/words.ts'

export interface AboutPageProps {
  title?: string
  /** Sanitised by the server. */
  html: string
  /** Facts of the hub: what, and a value with an optional link. */
  facts: { term: string; value: string; href?: string }[]
  locale: string
}

/** Who runs the hub, what its data may be used for, whom to ask. */
export function AboutPage({ title, html, facts, locale }: AboutPageProps) {
  return (
    <div className="page about">
      <header className="page-head">
        <h1>{title ?? words(locale).about}</h1>
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
    </div>
  )
}
