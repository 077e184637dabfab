import { byName, lastChanged, newest, type ListOffer } from '#app/components/list/list-query.ts'

/** Maximum number of sources described at once. */
export const maxChanged = 100

/** The list of sources to choose from. */
export const bulkOffer: ListOffer = { sorts: { name: byName, updated: lastChanged, created: newest } }
