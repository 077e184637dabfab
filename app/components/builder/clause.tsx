import type { ReactNode } from 'react'
import { X } from 'lucide-react'

interface ClauseProps {
  title: string
  /** Errors, as worded by the server. */
  messages?: string[]
  children: ReactNode
  end?: ReactNode
}

/** A section of the query with its heading. */
export function Clause({ title, messages = [], children, end }: ClauseProps) {
  return (
    <section className="clause" aria-label={title}>
      <div className="clause-head">
        <h2 className="clause-title">{title}</h2>
        {end}
      </div>
      {children}
      <Messages messages={messages} />
    </section>
  )
}

/** Error messages, one per line. */
export function Messages({ messages }: { messages: string[] }) {
  return messages.map((message) => (
    <p key={message} className="field-error">
      {message}
    </p>
  ))
}

/** A button that removes a part. */
export function RemoveButton({ what, onPress }: { what: string; onPress(): void }) {
  return (
    <button
      type="button"
      className="button is-quiet is-icon is-small"
      aria-label={`Remove ${what}`}
      title="Remove"
      onClick={onPress}
    >
      <X size={16} aria-hidden="true" />
    </button>
  )
}
