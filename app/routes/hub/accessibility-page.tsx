import type { ReactNode } from 'react'
import { ContactLink } from '#app/components/hub/contact-link.tsx'
import { frameTexts, hubTexts } from '#app/components/hub/texts.ts'
import type { AccessibilityResults } from '#functions/shapes/accessibility-results.ts'
import { formatTag, toLocale, locales } from '#functions/shapes/locale.ts'
import { plural } from '#functions/shapes/plural.ts'

export interface AccessibilityPageProps {
  title: string
  /** The place. */
  name: string
  /** An email or web address; '' for none. */
  contact: string
  /** Null: no results are stored. */
  results: AccessibilityResults | null
  locale: string
}

/** The results of automated tests of hub pages, their date and method, and the contact for problems. Claims no conformance. */
export function AccessibilityPage({ title, name, contact, results, locale }: AccessibilityPageProps) {
  const { accessibility: w } = frameTexts(locale)
  return (
    <div className="page about">
      <header className="page-head">
        <h1>{title}</h1>
      </header>
      <div className="prose">
        <p>{w.intro.replace('{name}', () => name)}</p>
        <h2>{w.results}</h2>
        {results ? <p>{w.method}</p> : <p>{w.noResult}</p>}
      </div>
      {results ? <Results results={results} locale={locale} /> : null}
      <div className="prose">
        <p>{w.limits}</p>
        <p>
          {contact ? (
            <>
              {w.report} <ContactLink contact={contact} />
            </>
          ) : (
            w.noContact
          )}
        </p>
      </div>
    </div>
  )
}

function Results({ results, locale }: { results: AccessibilityResults; locale: string }) {
  const { accessibility: w } = frameTexts(locale)
  const tag = formatTag(toLocale(locale))
  const date = new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone: 'UTC' })
  const list = new Intl.ListFormat(tag, { type: 'unit' })
  const number = new Intl.NumberFormat(tag)
  const getLanguageName = (language: string) =>
    locales.find(({ code }) => code === language)?.name ?? language
  const faultLabels = results.faults.map(({ rule, pages }) => `${rule} (${number.format(pages)})`)
  const rows: [term: string, value: ReactNode][] = [
    [w.date, <time dateTime={results.testedAt}>{date.format(new Date(results.testedAt))}</time>],
    [w.tool, <bdi>{`${results.tool}, ${results.browser}`}</bdi>],
    [w.rules, <bdi>{results.rules.join(', ')}</bdi>],
    [w.pages, <bdi>{results.pages.join(', ')}</bdi>],
    [hubTexts(locale).languages, list.format(results.languages.map(getLanguageName))],
    [w.themes, list.format(results.themes.map((theme) => w[theme]))],
    [w.widths, list.format(results.widths.map((width) => number.format(width)))],
    [w.checks, number.format(results.checks)],
    [
      w.found,
      results.faults.length === 0 ? (
        w.noFaults
      ) : (
        <>
          {plural(w.faults, results.faults.length, tag)}: <bdi>{faultLabels.join(', ')}</bdi>
        </>
      ),
    ],
  ]
  return (
    <dl className="facts-list">
      {rows.map(([term, value]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
