import type { ReactNode } from 'react'
import { pageTypeNames } from './badges.tsx'
import { ListItem } from './list-item.tsx'

interface PageItemProps {
  page: { id: string; type: string; title: string; description: string }
  /** Content at the end of the row. */
  children: ReactNode
}

/** A page in a list, linked to its reading view, with its type. */
export function PageItem({ page: { id, type, title, description }, children }: PageItemProps) {
  const kind = <span className="list-kind">{pageTypeNames[type]}</span>
  return (
    <ListItem
      to={`/pages/${type}/${id}`}
      title={title}
      choice={{ id, name: title }}
      note={description}
      meta={
        <>
          {kind}
          {children}
        </>
      }
    />
  )
}
