import type { MinuteRules, Rules } from "./rules";

const duel = [
  {
    title: "Comment gagner",
    lines: [
      "À la fin de votre tour, vous gagnez avec 20 points de prestige en tout,",
      "ou avec 10 couronnes,",
      "ou avec 10 points de prestige sur des cartes d’une même couleur (un joker compte dans la couleur prise).",
    ],
  },
  {
    title: "Votre tour : d’abord, si vous voulez",
    lines: [
      "Utilisez des Privilèges : rendez-en un pour chaque jeton pris sur le plateau, sauf l’Or.",
      "Puis vous pouvez remplir le plateau : tous les jetons du sac vont sur les cases vides, et l’adversaire " +
        "prend un Privilège.",
    ],
  },
  {
    title: "Ensuite une de ces actions",
    lines: [
      "Prendre des jetons : 1, 2 ou 3 voisins en ligne, en colonne ou en diagonale, sans trou et sans Or. Trois " +
        "d’une couleur, ou les deux Perles, donnent un Privilège à l’adversaire.",
      "Prendre un Or et réserver une carte : une carte visible, ou le dessus d’une pioche, que vous seul voyez. " +
        "On garde 3 cartes réservées au plus.",
      "Acheter une carte Joaillerie, visible ou réservée. Chaque bonus ôte un jeton de sa couleur. L’Or remplace " +
        "tout jeton. Ce qui est payé va dans le sac.",
      "Si rien de cela n’est possible, il faut d’abord remplir le plateau.",
    ],
  },
  {
    title: "La fin de votre tour",
    lines: [
      "À la troisième et à la sixième couronne vous choisissez une carte Royale, avec ses points et sa capacité.",
      "Au-delà de 10 jetons, vous rendez au sac ce qui est de trop.",
      "Les trous de la pyramide sont comblés.",
    ],
  },
  {
    title: "Les Privilèges",
    lines: [
      "Il y en a trois. S’il n’en reste pas sur la table, vous en prenez un à l’adversaire. Le second joueur " +
        "commence avec un Privilège.",
    ],
  },
];

export const rules: Rules = {
  duel,
  "duel+counterfeiters": [
    {
      title: "Ce qu’ajoutent Les Faussaires",
      lines: [
        "Quatre jetons Verroterie. On les prend comme les Gemmes et les Perles ; l’Or les remplace. Trois sur " +
          "une ligne donnent un Privilège à l’adversaire.",
        "Une rangée de trois cartes Faussaire. En acheter une est une action comme l’achat d’une carte " +
          "Joaillerie ; vos bonus réduisent son coût en Gemmes. On ne peut pas les réserver.",
        "Un Faussaire agit dès qu’il est à vous, une fois par tour chacun.",
        "Les remises servent en payant : de la Verroterie à la place de plus de Gemmes.",
        "Après votre action vient un moment où vous pouvez utiliser les Faussaires qui coûtent de la Verroterie.",
        "Douze cartes Royales, dont quatre visibles, avec de nouvelles capacités.",
        "Remplir le plateau demande une case vide. Ce qui ne trouve pas de case reste dans le sac.",
      ],
    },
    ...duel,
  ],
  splendor: [
    {
      title: "Comment gagner",
      lines: [
        "Quand quelqu’un a 15 points de prestige, on finit la manche, pour que tous aient joué autant de tours.",
        "Le plus de points gagne ; puis le moins de cartes.",
      ],
    },
    {
      title: "Votre tour est une de ces actions",
      lines: [
        "Prendre trois gemmes de couleurs différentes.",
        "Prendre deux gemmes d’une couleur, s’il y en a au moins quatre à la banque.",
        "Réserver une carte Développement, visible ou du dessus d’une pioche, et prendre un Or s’il y en a. On " +
          "garde 3 cartes réservées au plus.",
        "Acheter une carte, visible ou réservée. Chaque bonus ôte une gemme de sa couleur ; l’Or remplace toute gemme.",
      ],
    },
    {
      title: "La fin de votre tour",
      lines: [
        "Au-delà de 10 jetons, vous rendez ce qui est de trop.",
        "Un noble dont vos bonus comblent les vœux vous rend visite : 3 points. Un par tour.",
      ],
    },
  ],
};

const duelMinute = [
  "Soyez le premier à avoir 20 points de prestige, ou 10 couronnes, ou 10 points d’une couleur.",
  "À votre tour, prenez jusqu’à trois jetons voisins en ligne …",
  "… ou achetez une carte. Sa gemme est un bonus : vous paierez désormais un jeton de moins de cette couleur.",
  "… ou prenez un Or, qui remplace tout jeton, et réservez une carte pour plus tard.",
  "Trois couronnes apportent une carte Royale, un Privilège prend un jeton au choix, et l’on garde 10 " +
    "jetons au plus.",
];

export const minute: MinuteRules = {
  duel: duelMinute,
  "duel+counterfeiters": [
    ...duelMinute,
    "La Verroterie est un nouveau jeton. Les cartes Faussaire en coûtent et offrent des ruses : remises, " +
      "tours de plus, regard dans une pioche.",
  ],
  splendor: [
    "Gagnez des points de prestige. Dès que quelqu’un en a 15, on finit la manche et le plus de points l’emporte.",
    "À votre tour, prenez trois gemmes de couleurs différentes, ou deux d’une couleur …",
    "… ou achetez une carte. Sa gemme est un bonus : vous paierez désormais une gemme de moins de cette couleur.",
    "… ou réservez une carte pour plus tard et prenez un Or, qui remplace toute gemme.",
    "Les nobles viennent d’eux-mêmes chez qui a les bonus qu’ils désirent : 3 points chacun.",
  ],
};
