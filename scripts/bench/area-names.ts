/** Names that stand for several areas: everything that is promised of maps is in four. */
const groups: Record<string, readonly string[]> = {
  map: ['map-alone', 'map-worker', 'tiles', 'pan'],
}

/** The areas that a list of names stands for, each once; a name that is no group stands for itself. */
export const areasNamed = (names: readonly string[]): string[] => [
  ...new Set(names.flatMap((name) => groups[name] ?? [name])),
]

/** The names of all groups. */
export const groupNames: readonly string[] = Object.keys(groups)
