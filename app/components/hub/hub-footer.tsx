import { LanguageLinks } from './language-links.tsx'
import type { HubFrame } from './hub-shell.tsx'
import { frameTexts, hubTexts } from './texts.ts'

type HubFooterProps = Pick<HubFrame, 'place' | 'locale' | 'base' | 'locales' | 'apiHref'>

/** The footer: publisher, contact, licence, statements, feeds, languages. */
export function HubFooter({ place, locale, base = '', locales, apiHref }: HubFooterProps) {
  const w = hubTexts(locale)
  const { footer, accessibility, privacy } = frameTexts(locale)
  const links = [
    [footer.contact, `${base}/about#contact`],
    [footer.licences, `${base}/about#licences`],
    [accessibility.title, `${base}/accessibility`],
    [privacy.title, `${base}/privacy`],
    [footer.feeds, `${base}/about#feeds`],
    ...(apiHref ? [[footer.api, apiHref] as const] : []),
  ] as const
  return (
    <footer className="hub-footer">
      <div className="hub-footer-row">
        <p>{place.displayName}</p>
        <nav aria-label={w.footer}>
          <ul>
            {links.map(([label, href]) => (
              <li key={href}>
                <a href={href}>{label}</a>
              </li>
            ))}
          </ul>
        </nav>
        {locales && locales.length > 1 ? (
          <LanguageLinks locales={locales} locale={locale} label={w.languages} />
        ) : null}
      </div>
    </footer>
  )
}
