"""A sample bot for CodinGame's Oware Abapa: it sows the pit that captures most, the first of equal ones."""


def captured(houses, pit):
    """The seeds that a pit captures, or -1 if it may not be sown."""
    houses, at, seeds = houses[:], pit, houses[pit]
    starving = sum(houses[6:]) == 0
    houses[pit] = 0
    for _ in range(seeds):
        at = (at + 1) % 12
        at = (at + 1) % 12 if at == pit else at
        houses[at] += 1
    taken = []
    while at > 5 and houses[at] in (2, 3):
        taken.append(houses[at])
        at -= 1
    if seeds == 0 or starving and sum(houses[6:]) == 0:
        return -1
    return sum(taken) if sum(taken) < sum(houses[6:]) else 0


while True:
    try:
        board = [int(word) for word in input().split()]
    except EOFError:
        break
    print(max(range(6), key=lambda pit: captured(board, pit)), flush=True)
