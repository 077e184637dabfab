import type { OrderByItemBuilder } from 'kysely'

/** How names are ordered wherever people read them (`orderBy('name', naturally)`): whatever the case, and numbers by what they count. */
export const naturally = (order: OrderByItemBuilder): OrderByItemBuilder => order.collate('natural_order')
