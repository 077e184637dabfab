import { Link, useLocation } from '@remix-run/react'
import type { ReactNode } from 'react'
import { EmptyState, type EmptyStateProps } from '../state/empty-state.tsx'
import { DeletedList, DeletedSwitch, type DeletedRow } from './deleted-list.tsx'
import { ListBar, type ListChoices } from './list-bar.tsx'
import { pickNounForm, showsPart, type ListOffer, type ListQuery } from './list-query.ts'
import { Pager } from './pager.tsx'

interface ListProps {
  offer: ListOffer
  /** The list state of the server: the parsed query (`listRequest`), and the total number of rows. */
  list: {
    query: ListQuery
    total: number
    choices?: ListChoices
    mayRestore?: boolean
    isDeleted?: boolean
  }
  /** The noun in the plural: "sources". */
  noun: string
  /** Number of rows on this page. */
  visibleCount: number
  /** The label of the search box, by default "Search" and the noun; null: no search. */
  searchLabel?: string | null
  /** Options by filter if the offer has none. */
  choices?: ListChoices
  /** Content at the end of the bar. */
  end?: ReactNode
  /** Text and link for an empty result; by default made from the noun. */
  noResults?: { text?: string; all?: string }
  /** The empty state, if there are no rows at all. */
  empty: EmptyStateProps
  /** The rows when deleted items are listed. */
  deleted?: readonly DeletedRow[]
  /** The rows. */
  children: ReactNode
}

/** A complete list: search, filters and order; rows, deleted items or an empty state; pagination. */
export function List({ offer, list, noun, visibleCount, choices, empty, children, ...words }: ListProps) {
  const { searchLabel = `Search ${noun}`, noResults = {}, deleted = [], end } = words
  const { query, total, mayRestore = false, isDeleted = false } = list
  const { pathname } = useLocation()
  return (
    <>
      <ListBar
        {...{ offer, query, searchLabel }}
        choices={{ ...list.choices, ...choices }}
        end={mayRestore ? <DeletedSwitch noun={noun} isDeleted={isDeleted} /> : end}
      />
      {isDeleted ? (
        <DeletedList rows={deleted} />
      ) : visibleCount > 0 ? (
        children
      ) : showsPart(query) ? (
        <EmptyState
          {...(empty.level && { level: empty.level })}
          title="No results!"
          text={noResults.text ?? `No ${pickNounForm(1, noun)} fits what you are looking for.`}
          action={
            <Link className="button" to={pathname}>
              {noResults.all ?? `Show all ${noun}`}
            </Link>
          }
        />
      ) : (
        <EmptyState {...empty} />
      )}
      <Pager {...{ query, visibleCount, total, noun }} />
    </>
  )
}
