import type { HubFrame } from './hub-shell.tsx'

/** Links to the page in each language of the hub, by their own names. */
export function LanguageLinks({
  locales,
  locale,
  label,
}: {
  locales: NonNullable<HubFrame['locales']>
  locale: string
  /** The label of the list, if nothing around it has one. */
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
