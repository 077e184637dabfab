import { useId, type ReactNode } from 'react'

/** A part of the gallery: components of one kind. */
export function Part({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section className="stack" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  )
}

/** A component in its states, below the name that it is imported by. */
export function Sample({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="card">
      <div className="card-head">
        <h3 className="card-title">{name}</h3>
      </div>
      <div className="card-body stack">{children}</div>
    </div>
  )
}
