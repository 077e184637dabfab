import type { HubFrame } from './hub-shell.tsx'

/** The page in each language of the hub, each by its own name. */
export function LanguageLinks({
  locales,
  locale,
  label,
}: {
  locales: NonNullable<HubFrame['locales']>
  locale: string
  /** What the list is called, where nothing around it says so. */
  label?: string
}) {
  return (
    <ul aria-label={label}>
      {locales.map((each) => (
        <li key={each.locale}>
          <a
            href={each.href}
            lang={each.locale}
            hrefLang={each.locale}
            aria-current={each.locale === locale ? 'true' : undefined}
          >
            {each.label}
          </a>
        </li>
      ))}
    </ul>
  )
}
