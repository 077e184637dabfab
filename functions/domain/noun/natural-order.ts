import type { OrderByItemBuilder } from 'kysely'

/** Natural order for names (`orderBy('name', naturally)`): case-insensitive, digits by their numeric value. */
export const byNaturalOrder = (order: OrderByItemBuilder): OrderByItemBuilder =>
  order.collate('natural_order')
