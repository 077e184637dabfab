import { words } from './words.ts'

export interface ListOrdersProps {
  /** Orders that the list can be had in. */
  orders: { label: string; href: string }[]
  /** All of it, to sort and to filter. */
  allHref: string
}

/** Leads from a list as it is stored to the search, which sorts and narrows it. */
export function ListOrders({ orders, allHref, locale }: ListOrdersProps & { locale: string }) {
  const w = words(locale)
  if (orders.length === 0) return null
  return (
    <nav className="list-orders" aria-label={w.sortAndFilter}>
      <span className="muted">{w.search.sort}</span>
      <ul>
        {orders.map(({ label, href }) => (
          <li key={href}>
            <a rel="nofollow" href={href}>
              {label}
            </a>
          </li>
        ))}
        <li>
          <a rel="nofollow" href={allHref}>
            {w.search.narrow}
          </a>
        </li>
      </ul>
    </nav>
  )
}
