import { words } from './words.ts'

export interface FooterLink {
  label: string
  href: string
}

interface HubFooterProps {
  place: { displayName: string }
  locale: string
  links?: FooterLink[]
}

/** Whose site this is, and the small links (API, feeds, accessibility); no name but the place's own. */
export function HubFooter({ place, locale, links }: HubFooterProps) {
  return (
    <footer className="hub-footer">
      <div className="hub-footer-row">
        <p>{place.displayName}</p>
        {links && links.length > 0 ? (
          <nav aria-label={words(locale).footer}>
            <ul>
              {links.map((link) => (
                <li key={link.href}>
                  <a href={link.href}>{link.label}</a>
                </li>
              ))}
            </ul>
          </nav>
        ) : null}
      </div>
    </footer>
  )
}
