import { useId, type ReactNode } from 'react'

/** A section of the gallery. */
export function Part({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section className="stack" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  )
}

/** A component in its states, under its import name. */
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
