import { words } from './words.ts'

/** The page for an address that leads nowhere; Back is a link home that the island turns into history back. */
export function NotFound({ locale, base = '' }: { locale: string; base?: string }) {
  const w = words(locale)
  return (
    <div className="page">
      <div className="state">
        <h1 className="state-title">{w.notFound}</h1>
        <p className="state-text">{w.notFoundText}</p>
        <p className="state-actions">
          <a className="button is-primary" href={base || '/'} data-back="">
            {w.back}
          </a>
          <a className="button" href={base + '/domains'}>
            {w.allDomains}
          </a>
        </p>
      </div>
    </div>
  )
}
