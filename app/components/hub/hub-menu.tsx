import { LanguageLinks } from './language-links.tsx'
import type { HubFrame } from './hub-shell.tsx'
import { Icon } from './icons.tsx'
import { hubTexts } from './texts.ts'

interface NavLink {
  label: string
  href: string
  isCurrent: boolean
}

/** The sections of a hub in order; Maps only if the place has a map. */
export function hubLinks({ place, currentPath, locale, base = '' }: HubFrame): NavLink[] {
  const w = hubTexts(locale)
  const link = (label: string, path: string, ...under: string[]): NavLink => ({
    label,
    href: base + path,
    isCurrent:
      currentPath === path || [path, ...under].some((parent) => currentPath.startsWith(parent + '/')),
  })
  return [
    link(w.stories, '/datastories', '/pages'),
    link(w.domains, '/domains'),
    ...(place.hasMap ? [link(w.maps, '/map')] : []),
    link(w.about, '/about'),
  ]
}

/** The sections as a list of links. */
export function HubLinks({ links }: { links: NavLink[] }) {
  return (
    <ul className="nav-links">
      {links.map((link) => (
        <li key={link.href}>
          <a href={link.href} aria-current={link.isCurrent ? 'page' : undefined}>
            {link.label}
          </a>
        </li>
      ))}
    </ul>
  )
}

/** The same links behind a button on narrow screens; a details element, so it works without scripts. */
export function HubMenu(frame: HubFrame) {
  const w = hubTexts(frame.locale)
  return (
    <details className="hub-menu" data-menu="">
      <summary className="hub-tool">
        <Icon name="menu" />
        <span>{w.menu}</span>
      </summary>
      <div className="hub-menu-panel">
        <nav aria-label={w.menu}>
          <HubLinks links={hubLinks(frame)} />
        </nav>
        <HubLanguages {...frame} />
      </div>
    </details>
  )
}

/** The languages of the page by their own names; nothing if there is only one. */
export function HubLanguages({ locales, locale }: HubFrame) {
  if (!locales || locales.length < 2) return null
  return (
    <nav className="hub-languages" aria-label={hubTexts(locale).languages}>
      <LanguageLinks locales={locales} locale={locale} />
    </nav>
  )
}
