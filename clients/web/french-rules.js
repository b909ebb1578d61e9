// The rules in French, a paragraph each, by the engine's English ones.

/** @type {Record<string, string>} */
export const FRENCH_RULES = {
  "The board has two rows of six pits, and a store at each end. The store on your right is yours. To sow, pick up all the seeds in one of your pits and drop them one by one into the pits that follow, anticlockwise. The player with more seeds in their store at the end wins.":
    "Le plateau a deux rangées de six trous, et un grenier à chaque bout. Le grenier à votre droite est le vôtre. Pour semer, prenez toutes les graines d’un de vos trous et déposez-les une à une dans les trous suivants, dans le sens inverse des aiguilles d’une montre. À la fin, le joueur qui a le plus de graines dans son grenier gagne.",
  "Sowing skips the stores. A sowing of 12 seeds or more goes all the way round and skips the pit it came from.":
    "On ne sème pas dans les greniers. Un semis de 12 graines ou plus fait le tour du plateau et saute le trou d’où il est parti.",
  "Sowing skips the stores. If the last seed lands in a pit that was not empty, in either row, you pick up all the seeds there and sow on, always skipping the pit where your turn began. The sowing ends in an empty pit. A sowing that would never end is not a legal move.":
    "On ne sème pas dans les greniers. Si la dernière graine tombe dans un trou qui n’était pas vide, dans l’une ou l’autre rangée, vous y prenez toutes les graines et semez encore, en sautant toujours le trou où votre tour a commencé. Le semis finit dans un trou vide. Un semis qui ne finirait jamais n’est pas un coup permis.",
  "You sow into both stores, yours and the other side's. If the last seed lands in your own store, you must move again, but only once in a turn.":
    "Vous semez dans les deux greniers, le vôtre et celui de l’adversaire. Si la dernière graine tombe dans votre grenier, vous devez rejouer, mais une seule fois par tour.",
  "You sow into your own store and skip the other side's. If the last seed lands in a pit that was not empty, in either row, you pick up all the seeds there and sow on. The sowing ends in an empty pit or in your store. If it ends in your store, you move again, as often as that happens.":
    "Vous semez dans votre grenier et sautez celui de l’adversaire. Si la dernière graine tombe dans un trou qui n’était pas vide, dans l’une ou l’autre rangée, vous y prenez toutes les graines et semez encore. Le semis finit dans un trou vide ou dans votre grenier. S’il finit dans votre grenier, vous rejouez, autant de fois que cela arrive.",
  "You sow into your own store and skip the other side's. If the last seed lands in your store, you move again, as often as that happens.":
    "Vous semez dans votre grenier et sautez celui de l’adversaire. Si la dernière graine tombe dans votre grenier, vous rejouez, autant de fois que cela arrive.",
  "If the last seed brings a pit in the other row to 2 or 3 seeds, you capture them. If the pit before it also holds 2 or 3, you capture those too, and so on back along the other row. A move that would capture everything in the other row captures nothing.":
    "Si la dernière graine porte un trou de l’autre rangée à 2 ou 3 graines, vous les prenez. Si le trou précédent en contient aussi 2 ou 3, vous les prenez aussi, et ainsi de suite en remontant l’autre rangée. Un coup qui prendrait toutes les graines de l’autre rangée n’en prend aucune.",
  "If the last seed brings a pit in the other row to 2 or 3 seeds, you capture them. If the pit before it also holds 2 or 3, you capture those too, and so on back along the other row. Capturing everything in the other row wins at once.":
    "Si la dernière graine porte un trou de l’autre rangée à 2 ou 3 graines, vous les prenez. Si le trou précédent en contient aussi 2 ou 3, vous les prenez aussi, et ainsi de suite en remontant l’autre rangée. Prendre toutes les graines de l’autre rangée gagne aussitôt.",
  "If it ends in your own row, you capture the seeds in the pit opposite. Your last seed stays where it is.":
    "S’il finit dans votre rangée, vous prenez les graines du trou d’en face. Votre dernière graine reste où elle est.",
  "If the last seed lands in an empty pit in your own row and the pit opposite is not empty, you take the seeds in both pits.":
    "Si la dernière graine tombe dans un trou vide de votre rangée et que le trou d’en face n’est pas vide, vous prenez les graines des deux trous.",
  "If the last seed lands in an empty pit in your own row, you take it and all the seeds in the pit opposite, even if there are none.":
    "Si la dernière graine tombe dans un trou vide de votre rangée, vous la prenez avec toutes les graines du trou d’en face, même s’il n’y en a aucune.",
  "If the last seed lands in an empty pit, in either row, and the pit opposite is not empty, you take the seeds in both pits.":
    "Si la dernière graine tombe dans un trou vide, dans l’une ou l’autre rangée, et que le trou d’en face n’est pas vide, vous prenez les graines des deux trous.",
  "Nothing is captured: seeds reach your store only by sowing.": "Rien n’est pris : les graines n’arrivent dans votre grenier que par le semis.",
  "As soon as a row is empty the game is over, and each side takes the seeds in its own row.":
    "Dès qu’une rangée est vide, la partie est finie, et chaque camp prend les graines de sa rangée.",
  "As soon as a row is empty the game is over, and the seeds left on the board count for neither side.":
    "Dès qu’une rangée est vide, la partie est finie, et les graines restées sur le plateau ne comptent pour aucun camp.",
  "As soon as a row is empty the game is over, and the side with the empty row takes the seeds in the other row.":
    "Dès qu’une rangée est vide, la partie est finie, et le camp dont la rangée est vide prend les graines de l’autre rangée.",
  "The feeding rule: if the other row is empty, you must give it seeds if you can. If the side to move has no seeds, the other side takes all the seeds left and the game ends.":
    "La règle de la nourriture : si l’autre rangée est vide, vous devez lui donner des graines si vous le pouvez. Si le camp au trait n’a pas de graines, l’autre prend toutes celles qui restent et la partie finit.",
  "The feeding rule: if the other row is empty, you must play a move that puts seeds there. If you have none, you take all the seeds left and the game ends. It also ends when a store has 25 seeds, when both have 24, and when the side to move has no seeds.":
    "La règle de la nourriture : si l’autre rangée est vide, vous devez jouer un coup qui y met des graines. S’il n’y en a pas, vous prenez toutes les graines qui restent et la partie finit. Elle finit aussi quand un grenier a 25 graines, quand les deux en ont 24, et quand le camp au trait n’a pas de graines.",
  "The feeding rule: if the other row is empty, you must play a move that puts seeds there. The game ends when a store has 25 seeds, when both have 24, when there is no legal move, or when a position comes back with no capture in between. In the last two cases each side takes the seeds in its own row.":
    "La règle de la nourriture : si l’autre rangée est vide, vous devez jouer un coup qui y met des graines. La partie finit quand un grenier a 25 graines, quand les deux en ont 24, quand il n’y a pas de coup permis, ou quand une position revient sans prise entre-temps. Dans les deux derniers cas, chaque camp prend les graines de sa rangée.",
};
