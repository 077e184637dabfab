import { hubTexts } from './texts.ts'

export interface ListOrdersProps {
  /** The available sort orders. */
  orders: { label: string; href: string }[]
  /** The link to the search, with sorting and filters. */
  allHref: string
}

/** Links from a stored list to the search, where it can be sorted and filtered. */
export function ListOrders({ orders, allHref, locale }: ListOrdersProps & { locale: string }) {
  const w = hubTexts(locale)
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
