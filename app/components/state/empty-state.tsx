import type { ReactNode } from 'react'

export interface EmptyStateProps {
  /** What would be here. */
  title: string
  text?: string
  /** The primary action. */
  action?: ReactNode
  level?: 2 | 3
}

/** The empty state of a list, figure or page: an explanation, and one action. */
export function EmptyState({ title, text, action, level = 2 }: EmptyStateProps) {
  const Title = level === 2 ? 'h2' : 'h3'
  return (
    <div className="state is-empty">
      <Title className="state-title">{title}</Title>
      {text ? <p className="state-text">{text}</p> : null}
      {action ? <div className="state-actions">{action}</div> : null}
    </div>
  )
}
