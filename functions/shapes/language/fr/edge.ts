import type { EdgeWords } from '../edge.ts'

export const edge: EdgeWords = {
  results: { one: '{n} résultat de recherche', other: '{n} résultats de recherche' },
  none: 'Aucun résultat\u00a0!',
  kinds: { domain: 'Domaine', indicator: 'Indicateur', story: 'Récit de données', map: 'Carte' },
  search: {
    all: 'Tout',
    byKind: 'Type de résultat',
    byDomain: 'Domaine du résultat',
    page: 'Page {n} sur {of}',
    previous: 'Précédent',
    next: 'Suivant',
  },
  preparing: {
    title: 'Ce portail est en cours de préparation',
    text: 'Ses premières pages arrivent. Revenez dans quelques minutes.',
  },
  updating: {
    title: 'Cette page est en cours de mise à jour',
    text: 'Un élément qu’elle montrait n’est plus public. Revenez dans quelques instants.',
  },
  unreadable: {
    title: 'Cette page ne peut pas être affichée pour le moment',
    text: 'Le stockage qui la contient ne répond pas. Rien n’est perdu\u00a0; réessayez dans une minute.',
  },
}
