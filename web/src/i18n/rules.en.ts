import type { MinuteRules, Rules } from "./rules";

const duel = [
  {
    title: "How to win",
    lines: [
      "At the end of your own turn you win with 20 prestige points in all,",
      "or with 10 crowns,",
      "or with 10 prestige points on cards of one color (jokers count in the color they took).",
    ],
  },
  {
    title: "Your turn: first, if you like",
    lines: [
      "Use privileges: return one for each token you take from the board, any but gold.",
      "Then you may replenish the board: all tokens of the bag are laid on empty cells, and your opponent takes " +
        "a privilege.",
    ],
  },
  {
    title: "Then one of these",
    lines: [
      "Take tokens: 1, 2 or 3 that lie side by side in a row, a column or a diagonal, without a gap and without " +
        "gold. Three of one color, or both pearls, give your opponent a privilege.",
      "Take a gold and reserve a card: a face-up one, or the top of a deck, which only you see. You can hold 3 " +
        "reserved cards.",
      "Buy a card, face up or reserved. Each bonus you own takes one off its color. Gold stands in for any " +
        "token. What you pay goes into the bag.",
      "If you can do none of these, you must replenish the board first.",
    ],
  },
  {
    title: "The end of your turn",
    lines: [
      "With your third and your sixth crown you choose a royal, with its points and ability.",
      "Above 10 tokens you return what is too many to the bag.",
      "Gaps in the pyramid are filled.",
    ],
  },
  {
    title: "Privileges",
    lines: [
      "There are three. When none lies on the table you take one from your opponent. The second player begins " +
        "with one.",
    ],
  },
];

export const rules: Rules = {
  duel,
  "duel+counterfeiters": [
    {
      title: "What the Counterfeiters add",
      lines: [
        "Four glassware tokens. They are taken like gems and pearls; gold stands in for them. Three in one line " +
          "give your opponent a privilege.",
        "A row of three Counterfeiter cards. Buying one is an action like buying a jewel card; your bonuses " +
          "lower its gem costs. They cannot be reserved.",
        "A Counterfeiter works as soon as you own it, each once a turn.",
        "Discounts are used while paying: glassware goes instead of more gems.",
        "After your action comes a window in which you may use the Counterfeiters that cost glassware.",
        "Twelve royals, of which four lie face up, with new abilities.",
        "Replenishing needs an empty cell. What finds no cell stays in the bag.",
      ],
    },
    ...duel,
  ],
  splendor: [
    {
      title: "How to win",
      lines: [
        "When somebody has 15 prestige points, the round is finished, so that all have had the same number of turns.",
        "Most points win; then the fewest cards.",
      ],
    },
    {
      title: "Your turn is one of these",
      lines: [
        "Take three gems of different colors.",
        "Take two gems of one color, if at least four of it are in the supply.",
        "Reserve a card, face up or the top of a deck, and take a gold if there is one. You can hold 3 reserved cards.",
        "Buy a card, face up or reserved. Each bonus takes one off its color; gold stands in for any gem.",
      ],
    },
    {
      title: "The end of your turn",
      lines: [
        "Above 10 tokens you return what is too many.",
        "A noble whose wishes your bonuses meet visits you: 3 points. One a turn.",
      ],
    },
  ],
};

const duelMinute = [
  "Be the first to have 20 prestige points, or 10 crowns, or 10 points in one color.",
  "In your turn, take up to three tokens that lie next to each other in a line …",
  "… or buy a card. The gem on it is a bonus: from now on you pay one token less of that color.",
  "… or take a gold, which replaces any token, and reserve a card for later.",
  "Three crowns bring a royal, a privilege takes a token of your choice, and you keep 10 tokens at most.",
];

export const minute: MinuteRules = {
  duel: duelMinute,
  "duel+counterfeiters": [
    ...duelMinute,
    "Glassware is a new token. Counterfeiter cards cost it and give you tricks: discounts, extra turns, " +
      "a look into a deck.",
  ],
  splendor: [
    "Collect prestige points. When somebody has 15, the round is finished and most points win.",
    "In your turn, take three gems of different colors, or two of one color …",
    "… or buy a card. The gem on it is a bonus: from now on you pay one gem less of that color.",
    "… or reserve a card for later and take a gold, which replaces any gem.",
    "Nobles come by themselves to the player who has the bonuses they want: 3 points each.",
  ],
};
