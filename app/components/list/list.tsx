import { Link, useLocation } from '@remix-run/react'
import type { ReactNode } from 'react'
import { EmptyState, type EmptyStateProps } from '../state/empty-state.tsx'
import { DeletedList, DeletedSwitch, type DeletedRow } from './deleted-list.tsx'
import { ListBar, type ListChoices } from './list-bar.tsx'
import { nounOf, showsPart, type ListOffer, type ListQuery } from './list-query.ts'
import { Pager } from './pager.tsx'

interface ListProps {
  offer: ListOffer
  /** What the server says of the list: how it was asked for (`listRequest`), and how many rows there are on all pages. */
  list: {
    query: ListQuery
    total: number
    choices?: ListChoices
    mayRestore?: boolean
    isDeleted?: boolean
  }
  /** What the list is of, in the plural: "sources". */
  noun: string
  /** Rows of this page. */
  visibleCount: number
  /** What the search box says, where that is not "Search" and the noun; null: there is none. */
  searchLabel?: string | null
  /** By filter, what may be chosen where the offer does not say. */
  choices?: ListChoices
  /** What else stands at the end of the bar. */
  end?: ReactNode
  /** What is said where nothing fits, and of the way back to all rows; where that is not said by the noun. */
  noResults?: { text?: string; all?: string }
  /** What stands in place of the rows where there are none at all. */
  empty: EmptyStateProps
  /** The rows as they stand where the list is of what was deleted. */
  deleted?: readonly DeletedRow[]
  /** The rows. */
  children: ReactNode
}

/** A list whole: search, filters and order, then its rows, or what was deleted, or why there is nothing, then its pages. */
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
          text={noResults.text ?? `No ${nounOf(1, noun)} fits what you are looking for.`}
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
